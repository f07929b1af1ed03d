/** Returns 0 for an invalid id. Parsing must not throw, because the router would report an error. */
export const parseId = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);
