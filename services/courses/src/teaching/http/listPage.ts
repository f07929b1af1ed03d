/** The pages of the lists that graders and their administrators read. */
export const listPage = { size: 50, largest: 200 };
