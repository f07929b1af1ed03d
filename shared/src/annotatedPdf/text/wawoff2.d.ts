declare module 'wawoff2/decompress.js' {
  /** Converts WOFF2 to TrueType. */
  export default function decompress(font: Uint8Array): Promise<Uint8Array>;
}
