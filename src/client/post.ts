// How one request reaches the hub. `fetch` everywhere; a program that can do better on its system hands in its own.

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

/** Rejects when no whole reply came. After an abort it may still resolve, with a reply that was already on its way. */
export type Post = (request: HubRequest) => Promise<HubReply>;

export const postByFetch: Post = async ({ url, headers, body, signal }) => {
  const response = await fetch(url, { method: 'POST', headers, body, ...(signal === undefined ? {} : { signal }) });
  return { status: response.status, body: await response.text() };
};
