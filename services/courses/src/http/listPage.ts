/** The page size of lists for which the specification defines none. */
export const listPage = { size: 50, largest: 200 };
