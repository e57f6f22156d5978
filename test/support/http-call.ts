// One call over HTTP, as a plain program would make it.

export interface HttpAnswer {
  status: number;
  // Tests read the fields they promise; a wrong one fails the assertion.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface CallAs {
  agent?: string;
  session?: string;
  /** Sent as a bearer token. */
  key?: string;
}

export async function post(
  url: string,
  operation: string,
  input: unknown,
  options: CallAs & { signal?: AbortSignal } = {},
): Promise<HttpAnswer> {
  const response = await fetch(`${url}/v1/${operation}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(options.agent === undefined ? {} : { 'coterie-agent': options.agent }),
      ...(options.session === undefined ? {} : { 'coterie-session': options.session }),
      ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
    },
    body: typeof input === 'string' ? input : JSON.stringify(input),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  return { status: response.status, body: await response.json() };
}

/** The result, or a failed test that shows the refusal. */
export async function call(url: string, operation: string, input: unknown, options: CallAs = {}) {
  const { status, body } = await post(url, operation, input, options);
  if (status !== 200) throw new Error(`${operation}: ${status} ${JSON.stringify(body)}`);
  return body;
}
