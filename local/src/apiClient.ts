/** An API client of the demo school, with the token of one account. */
export class ApiClient {
  readonly #baseUrl: string;
  readonly #token: string;

  constructor(baseUrl: string, token: string) {
    this.#baseUrl = baseUrl;
    this.#token = token;
  }

  async call<T>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<T> {
    return request<T>(this.#baseUrl, method, path, body, {
      ...headers,
      authorization: `Bearer ${this.#token}`,
    });
  }

  /** Opens a signed link from a response, at this client's base URL: `PUBLIC_URL` may not be reachable from here. */
  async open(link: string): Promise<void> {
    const { pathname, search } = new URL(link);
    const response = await fetch(new URL(pathname + search, this.#baseUrl));
    if (!response.ok) throw new Error(`GET ${pathname}: ${response.status}`);
    await response.arrayBuffer();
  }

  /** Creates a resource and returns its id. */
  async create(path: string, body: object): Promise<number> {
    return (await this.call<{ data: { id: number } }>('POST', path, body)).data.id;
  }
}

export async function logIn(baseUrl: string, email: string, password: string): Promise<ApiClient> {
  const { access_token } = await request<{ access_token: string }>(baseUrl, 'POST', '/api/v3/login', {
    email,
    password,
  });
  return new ApiClient(baseUrl, access_token);
}

async function request<T>(
  baseUrl: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<T> {
  const json = body !== undefined && !(body instanceof FormData);
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      accept: 'application/json',
      ...(json ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: json ? JSON.stringify(body) : (body as FormData) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
