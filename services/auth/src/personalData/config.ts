import type { Setting } from '@gradeway/shared/config/readConfig';
import { address, duration, parseDuration, text } from '@gradeway/shared/config/settingKinds';

const modes = ['keep-grades', 'all'] as const;
type ErasureMode = (typeof modes)[number];

const { alternative: _alternative, ...erasureText } = text('ERASURE', {
  default: 'keep-grades',
  about:
    'How an erasure treats grades: `keep-grades` keeps them without a name, for schools that must keep them; `all` deletes them',
});

const erasure: Setting<ErasureMode> = {
  ...erasureText,
  parse(value) {
    const mode = modes.find((each) => each === value);
    if (!mode) throw new Error(`must be ${modes.join(' or ')}, but is "${value}"`);
    return mode;
  },
};

const minRetentionMs = parseDuration('90d');
const auditLogDuration = duration('RETENTION_AUDIT_LOG', {
  default: '0d',
  about: 'How long an entry of the audit log is kept, at least `90d`; `0d` means forever',
});
const retentionAuditLog: Setting<number> = {
  ...auditLogDuration,
  parse(value) {
    const ms = auditLogDuration.parse(value);
    if (ms > 0 && ms < minRetentionMs) throw new Error(`must be 0d or at least 90d, but is "${value}"`);
    return ms;
  },
};

export const personalDataSettings = {
  retentionAuditLog,
  erasure,
  erasureList: text.optional('ERASURE_LIST', {
    about:
      'File that records every erasure, by account id, for restores (docs/backup.md). It must survive the loss of the database',
  }),
  homeworkGrpc: address('HOMEWORK_GRPC', { default: 'homework:9090', about: 'gRPC address of homework' }),
  quizGrpc: address('QUIZ_GRPC', { default: 'quiz:9090', about: 'gRPC address of quiz' }),
};
