/** 0 for what is no id: parsing must not fail, since the router would take it for a fault. */
export const parseId = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);
