/**
 * Base URLs that look like `http(s)://<host><path>` or lead elsewhere.
 * @param host of an allowed base, with its port if it has one
 */
export function listHostileBases(
  host: string,
  path: string,
  scheme = "https",
  decoy = "evil.test",
): string[] {
  const name = host.replace(/:\d+$/, "");
  const plain = String.raw`
    ${scheme}://${decoy}${path} ${scheme}://${decoy}/ ${scheme}://${decoy} ${scheme}://${host}.${decoy}${path}
    ${scheme}://${name}.evil.test${path} ${scheme}://evil-${host}${path} ${scheme}://sub.${host}${path}
    ${scheme}://${name}.${path} ${scheme}://${host}@${decoy}${path} ${scheme}://user:pass@${host}${path}
    ${scheme}://user@${host}${path} ${scheme}://@${host}${path} ${scheme}://:@${host}${path}
    ${scheme}://${decoy}@${host}${path} ${scheme}://${host}%40${decoy}${path} ${scheme}://${host}:@${decoy}${path}
    ${scheme}://${name}:1${path} ${scheme}://${name}:65535${path} ${scheme}://${name}:0${path}
    ${scheme}://${name}:99999${path} ${scheme}://${name}:${path} ftp://${host}${path} ws://${host}${path}
    wss://${host}${path} file://${host}${path} javascript://${host}${path} gopher://${host}${path}
    data:text/html,${host}${path} //${host}${path} //${decoy}${path} ${scheme}:${host}${path}
    ${scheme}:/${host}${path} ${scheme}:///${host}${path} ${scheme}://${decoy}\@${host}${path} ${scheme}://${host}
    ${scheme}://${host}/ ${scheme}://${host}${path}/.. ${scheme}://${host}${path}/../
    ${scheme}://${host}${path}/../v2 ${scheme}://${host}${path}/%2e%2e/v2 ${scheme}://${host}${path}//
    ${scheme}://${host}/${path} ${scheme}://${host}${path}evil ${scheme}://${host}${path}/postcards
    ${scheme}://${host}${path};a=b ${scheme}://${host}${path}?api_key=1 ${scheme}://${host}${path}?
    ${scheme}://${host}${path}# ${scheme}://${host}${path}#x ${scheme}://${host}?${path} ${scheme}://${host}#${path}
    ${scheme}://${host}/V1x ${scheme}://${host}/v2 ${scheme}://${host}/%76%31 ${scheme}://127.1.1.1${path}
    ${scheme}://2130706434${path} ${scheme}://0x7f000002${path} ${scheme}://0177.0.0.2${path}
    ${scheme}://[::ffff:127.0.0.2]${path} ${scheme}://[::1]${path} ${scheme}://0${path}
    ${scheme}://169.254.169.254/latest/meta-data ${host}${path} null undefined * US http :// ${scheme}:// ${host}
    ${path}`;
  return [
    ...plain.trim().split(/\s+/),
    ...[
      ` ${scheme}://${host}${path}`,
      `${scheme}://${host}${path} `,
      `${scheme}://${host}\t${path}`,
      `${scheme}://${host}\n${path}`,
      `${scheme}://${host}\r\nHost: ${decoy}${path}`,
      `${scheme}://${host}\u0000.${decoy}${path}`,
      `${scheme}://${host}${path}\u0000`,
      `${scheme}://${host.replace(/\./g, "\u3002")}\u3002${decoy}${path}`,
      `${scheme}://${name.replace(/.$/, (char) => `%${char.charCodeAt(0).toString(16)}`)}${path}`,
      `${scheme}://\u200b${host}${path}`,
      `/\\${decoy}${path}`,
      `\\\\${decoy}${path}`,
      `${scheme}:\\\\${host}${path}`,
      `${scheme}://${host}\\${path}`,
    ],
  ];
}

/** Paths that leave the base or resolve to another path. */
export const HOSTILE_PATHS: string[] = [
  ...String.raw`
    / // /recipients/list //evil.test/x ///evil.test/x ////evil.test \\evil.test\x \evil.test /\evil.test/x
    \/evil.test/x @evil.test/x :@evil.test user:pass@evil.test :8080/x https://evil.test/x HTTPS://evil.test/x
    http:evil.test https:/evil.test https:\\evil.test javascript:alert(1) data:text/html,x file:///etc/passwd
    mailto:x x:y/z .. ../v2/balance recipients/../../v2/balance recipients/list/.. recipients/list/.
    ./recipients/list recipients/./list . ... recipients/..list %2e%2e/v2 %2E%2E/v2 .%2e/v2 %2e./v2 %2e/recipients
    recipients/%2e%2e/%2e%2e/v2 %252e%252e/v2 %252E%252E%252Fv2 %25252e%25252e/v2 ..%2fv2 ..%5cv2 ..%252fv2
    %2e%2e%2fv2 recipients%2flist recipients%2Flist recipients%252flist recipients%5clist recipients\list
    recipients/..\..\v2 ..;/v2 recipients/..;a=b/v2 .;/v2 %c0%ae%c0%ae/v2 %c0%af %e0%80%ae %uff0e%uff0e/v2
    %u002e%u002e/v2 %EF%BC%8E%EF%BC%8E/v2 %E2%80%A5/v2 recipients%EF%BC%8Flist recipients//list recipients/list/
    recipients/list// recipients/list?api_key=1 recipients/list?x recipients/list#x recipients/list%3fapi_key=1
    recipients/list%23x recipients/list;api_key=1 recipients/list&api_key=1 recipients/api_key=1
    recipients/api-key%3D1 recipients/api_key recipients/list%0d%0aX:%20y recipients/list%00 recipients/list%7f
    recipients/li%09st recipients/%E2%80%AElist recipients/%E2%80%8Blist recipients/list% recipients/list%2
    recipients/list%zz recipients/%ff recipients/get/{id} recipients/<script> recipients/" recipients/| recipients/^
    recipients/[x]`
    .trim()
    .split(/\s+/),
  ...[
    "a".repeat(2_049),
    "",
    "\uff0e\uff0e/v2",
    "recipients\u2215list\u0000",
    "recipients list",
    " recipients/list",
    "recipients/list ",
    "recipients\t/list",
    "recipients/list\t",
    "recipients/list\n",
    "recipients/list\r\nHost: evil.test",
    "recipients/list HTTP/1.1\r\nX: y",
    "recipients/list\u0000",
    "recipients/list\u007f",
    "recipients/\u202elist",
    "recipients/l\u0131st",
    "recipients/`",
    "\ud800/x",
  ],
];
