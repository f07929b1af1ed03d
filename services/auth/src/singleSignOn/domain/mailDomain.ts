/** The domain of an email address, in lower case. */
export const mailDomain = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();
