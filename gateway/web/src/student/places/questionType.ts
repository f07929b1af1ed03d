/** The type of a dragged question. Its text is the id. */
export const questionType = 'application/x-gradeway-question';
