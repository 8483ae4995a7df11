/** What a MySQL server says first: it knows TLS, and this way to log in. */
export function greetingOfMysql(plugin = "mysql_native_password"): Buffer {
  const capabilities = (1 << 3) | (1 << 9) | (1 << 11) | (1 << 15) | (1 << 19);
  const middle = Buffer.alloc(31);
  middle.writeUInt32LE(7, 0);
  middle.write("nonce123", 4, "latin1");
  middle.writeUInt16LE(capabilities & 0xffff, 13);
  middle.writeUInt16LE(capabilities >>> 16, 18);
  middle[20] = 21;
  const body = Buffer.concat([
    Buffer.from("\x0a8.0.0-test\0", "latin1"),
    middle,
    Buffer.from(`abcdefghijkl\0${plugin}\0`, "latin1"),
  ]);
  return Buffer.concat([Buffer.from([body.length, 0, 0, 0]), body]);
}
