"""What schemathesis may not draw, and what it is to take for a refusal, each with its reason."""

import json

import schemathesis
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.jsonschema import make_validator
from schemathesis.core.parameters import ParameterLocation


@schemathesis.hook
def filter_query(ctx, query):
    """An empty list, object or text is the same on the wire: no value, which is passed over as in Strapi."""
    return all(is_something(value) for value in (query or {}).values())


def is_something(value):
    if isinstance(value, (list, tuple)):
        return all(is_something(one) for one in value) and len(value) > 0
    # Lists are separated by commas.
    if isinstance(value, str):
        return value.strip(", ") != ""
    return value is not None and value != {}


load_all_checks()
rejection_by_status = CHECKS.get_one("negative_data_rejection")


def negative_data_rejection(ctx, response, case):
    """As it comes, but for forms of refusing a body that it does not know, and for a body that is none or a draft's."""
    if is_body_alone_wrong(case) and (
        refuses_operations(response, case)
        or is_right_as_text(case)
        or is_blank(case)
        or is_right_as_draft(case)
    ):
        return None
    return rejection_by_status(ctx, response, case)


CHECKS.register(negative_data_rejection)


def is_body_alone_wrong(case):
    meta = case.meta
    others = [place for place in ParameterLocation if place != ParameterLocation.BODY]
    return (
        meta is not None
        and meta.is_negative_at(ParameterLocation.BODY)
        and not any(meta.is_negative_at(place) for place in others)
    )


def is_blank(case):
    """Nothing but white space is no body, which may be left out where nothing has to be in it."""
    body = case.body
    return isinstance(body, (bytes, str)) and len(body.strip()) == 0


def refuses_operations(response, case):
    """What is wrong with an operation of a bulk is said in the answer of that one, in an answer that is 200."""
    if not case.path.endswith("/bulk") or response.status_code != 200:
        return False
    return any(result["status"] >= 400 for result in response.json()["data"])


# What the rules of an attribute become in a document, those that a draft may break: its texts have a form and a greatest
# length all the same.
RULES = {"required", "minLength", "minItems", "maxItems", "minimum", "maximum"}
FORMS = {("format", "email"), ("pattern", r"^[A-Za-z0-9\-_.~]*$")}


def is_rule(name, value):
    return (name in RULES and not isinstance(value, dict)) or (isinstance(value, str) and (name, value) in FORMS)


def is_right_as_draft(case):
    """A draft may lack what is required, and break what rules say of values; the document is about what is published."""
    if (case.query or {}).get("status") != "draft" or not isinstance(case.body, dict):
        return False
    kind = case.operation.get_body_for_media_type(case.media_type)
    if kind is None or not isinstance(case.body.get("data"), dict):
        return False
    validator = case.operation.schema.adapter.jsonschema_validator_cls
    return make_validator(without_rules(kind.optimized_schema), validator).is_valid(case.body)


def without_rules(schema):
    """Members of `properties` may be called like a rule, and are schemas."""
    if isinstance(schema, list):
        return [without_rules(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: {key: without_rules(one) for key, one in value.items()}
        if name in ("properties", "$defs", "x-bundled") and isinstance(value, dict)
        else without_rules(value)
        for name, value in schema.items()
        if not is_rule(name, value)
    }


def is_right_as_text(case):
    """A part of a form is text or a file on the wire, whatever it was drawn as: an object is a file of JSON."""
    if case.media_type != "multipart/form-data" or not isinstance(case.body, dict):
        return False
    kind = case.operation.get_body_for_media_type(case.media_type)
    if kind is None:
        return False
    validator = case.operation.schema.adapter.jsonschema_validator_cls
    body = {name: as_parts(value) for name, value in case.body.items()}
    return make_validator(kind.optimized_schema, validator).is_valid(body)


def as_parts(value):
    """Several of one name are a list."""
    if isinstance(value, (list, tuple)):
        return [as_text(one) for one in value]
    return as_text(value)


def as_text(value):
    return value if isinstance(value, str) else json.dumps(value, default=str)
