const codes = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EMFILE', 'ENFILE', 'ENOMEM'];

/** True for an error of a system that has run out of disk, file handles or memory: the same call may succeed later. */
export const isShortage = (error: unknown): boolean =>
  codes.includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');
