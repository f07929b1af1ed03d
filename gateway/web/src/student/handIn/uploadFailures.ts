/** Errors that the application itself detects. Their explanations are loaded later. */
export const unreadableFile = 'The file cannot be read.';
export const unfinishedUpload = 'The upload was not finished.';
