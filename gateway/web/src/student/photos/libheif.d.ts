/** The part of libheif that {@link openPhoto} uses. Its own types lack the classes that its script adds. */
declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  interface HeifImage {
    get_width(): number;
    get_height(): number;
    /** Fills the pixels of `picture`; null for a damaged photo. */
    display(picture: ImageData, onDone: (picture: ImageData | null) => void): void;
    free(): void;
  }

  interface HeifDecoder {
    decode(file: Uint8Array): HeifImage[];
  }

  export default function startDecoder(): Promise<{ HeifDecoder: new () => HeifDecoder }>;
}
