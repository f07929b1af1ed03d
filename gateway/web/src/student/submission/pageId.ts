/** The id of the element of a page, counted across all files. */
export const pageId = (number: number): string => `page-${number}`;
