// Sends one request to the hub. Uses `fetch` unless the program provides its own function.

export interface HubRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal?: AbortSignal | undefined;
}

export interface HubReply {
  status: number;
  body: string;
}

/** Rejects when no complete reply arrives. After an abort it may still resolve, with a reply already in flight. */
export type Post = (request: HubRequest) => Promise<HubReply>;

export const postByFetch: Post = async ({ url, headers, body, signal }) => {
  const response = await fetch(url, { method: 'POST', headers, body, ...(signal === undefined ? {} : { signal }) });
  return { status: response.status, body: await response.text() };
};
