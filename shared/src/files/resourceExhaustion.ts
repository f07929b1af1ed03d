const codes = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EMFILE', 'ENFILE', 'ENOMEM'];

/** True if the system has run out of disk space, file handles or memory. The same call may succeed later. */
export const isResourceExhausted = (error: unknown): boolean =>
  codes.includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');
