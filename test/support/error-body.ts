/** The envelope of an error; without `details`, the answer has none. */
export const errorBody = (status: number, name: string, message: string, details?: object) => ({
  data: null,
  error: { status, name, message, ...(details === undefined ? {} : { details }) },
})

export const notFound = errorBody(404, 'NotFoundError', 'Not Found', {})
