/** The IANA name of the school's time zone, which the gateway writes into the page (`APP_TIMEZONE`). */
export const schoolTimeZone: string =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="time-zone"]')?.content ?? 'UTC';
