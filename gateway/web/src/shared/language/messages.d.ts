declare module '*?english' {
  export const messages: import('@lingui/core').Messages;
}

declare module '*?staff' {
  export const messages: import('@lingui/core').Messages;
}

declare module '*?messages' {
  export const messages: import('@lingui/core').Messages;
}
