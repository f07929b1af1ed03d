export const secretToken = 'a-token-that-nobody-may-read';

/** URLs that grant access, whose secret part no log may contain. */
export const secretUrls = [
  `/calendar/${secretToken}.ics`,
  `/calendar/${secretToken}.ics?x=${secretToken}`,
  `//Calendar/${secretToken}`,
  `/api/v3/files/quiz/12?expires=1&signature=${secretToken}`,
  `/api/v3/notifications/unsubscribe?token=${secretToken}`,
  `/session/sso/school/callback?code=${secretToken}&state=${secretToken}&next=/calendar/${secretToken}`,
];
