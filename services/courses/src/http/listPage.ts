/** The pages of lists, but for those whose size the specification gives. */
export const listPage = { size: 50, largest: 200 };
