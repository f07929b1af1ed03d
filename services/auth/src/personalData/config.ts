import { address, type Setting, text } from '@gradeway/shared/config/readConfig';

const modes = ['keep-grades', 'all'] as const;
type ErasureMode = (typeof modes)[number];

const { alternative: _alternative, ...erasureText } = text('ERASURE', {
  default: 'keep-grades',
  about:
    'What an erasure does to grades: `keep-grades` keeps them without a name, where the school must keep them; `all` deletes them',
});

const erasure: Setting<ErasureMode> = {
  ...erasureText,
  parse(value) {
    const mode = modes.find((each) => each === value);
    if (!mode) throw new Error(`must be ${modes.join(' or ')}, but is "${value}"`);
    return mode;
  },
};

export const personalDataSettings = {
  erasure,
  homeworkGrpc: address('HOMEWORK_GRPC', { default: 'homework:9090', about: 'gRPC address of homework' }),
  quizGrpc: address('QUIZ_GRPC', { default: 'quiz:9090', about: 'gRPC address of quiz' }),
};
