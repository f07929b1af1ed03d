import type * as Library from '@cantoo/pdf-lib';

// The bundled library loads in an eighth of the time of its modules. Each render runs in a new process and loads it
// again.
const bundle = new URL('../dist/pdf-lib.esm.min.js', import.meta.resolve('@cantoo/pdf-lib'));

export const {
  PDFArray,
  PDFContext,
  PDFCrossRefSection,
  PDFDict,
  PDFHeader,
  PDFName,
  PDFNull,
  PDFNumber,
  PDFObjectParser,
  PDFRef,
  PDFTrailer,
  PDFTrailerDict,
} = (await import(bundle.href)) as typeof Library;

export type PDFArray = Library.PDFArray;
export type PDFContext = Library.PDFContext;
export type PDFDict = Library.PDFDict;
export type PDFObject = Library.PDFObject;
export type PDFRef = Library.PDFRef;
