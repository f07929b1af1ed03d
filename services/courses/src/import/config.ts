import { bytes, count, flag, text } from '@gradeway/shared/config/settingKinds';

export const importSettings = {
  importDirectory: text('IMPORT_DIR', {
    default: '/tmp/gradeway-import',
    about: 'Directory that holds an uploaded archive while it is read; emptied afterwards',
  }),
  importMaxBytes: bytes('IMPORT_MAX_BYTES', {
    default: '52428800',
    about: 'Maximum size of an import archive; the gateway accepts up to twice its `MAX_UPLOAD_BYTES`',
  }),
  importMaxRows: count('IMPORT_MAX_ROWS', {
    default: '100000',
    about: 'Maximum number of rows in an import',
  }),
  teachersCreateAccounts: flag('TEACHERS_CREATE_ACCOUNTS', {
    default: '0',
    about:
      'Whether the roster of a teacher creates accounts for students without one, like the roster of an administrator',
  }),
  importMaxPasswords: count('IMPORT_MAX_PASSWORDS', {
    default: '2000',
    about: 'Maximum number of new accounts with a password in an import; hashing each takes about 20 ms',
  }),
};
