/** Messages about the session between the tabs of one browser. */
export type SessionMessage = { kind: 'token'; text: string } | { kind: 'out' };

export interface TabChannel {
  tell(message: SessionMessage): void;
  listen(listener: (message: SessionMessage) => void): void;
}

/** Opens a channel to the other tabs of this origin. */
export function openTabChannel(): TabChannel {
  const channel = new BroadcastChannel('gradeway-session');
  return {
    tell: (message) => channel.postMessage(message),
    listen: (listener) =>
      channel.addEventListener('message', ({ data }: MessageEvent<SessionMessage>) => listener(data)),
  };
}
