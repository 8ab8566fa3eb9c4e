/** Returns the body of an error response, without `details` by default. */
export const errorBody = (status: number, name: string, message: string, details?: object) => ({
  data: null,
  error: { status, name, message, ...(details === undefined ? {} : { details }) },
})

export const notFound = errorBody(404, 'NotFoundError', 'Not Found', {})
