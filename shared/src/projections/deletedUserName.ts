/** The name in responses and archives of a person whose account was deleted (D29). */
export const deletedUserName = 'Deleted user';
