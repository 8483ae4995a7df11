/** The smallest head of a picture of that size, of each kind. */
export const pngOf = (width: number, height: number): Buffer => {
  const head = Buffer.from("89504e470d0a1a0a0000000d494844520000000000000000080600000000000000", "hex");
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
};

export const gifOf = (width: number, height: number): Buffer => {
  const head = Buffer.from("R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==", "base64");
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  return head;
};

export const svgOf = (inside: string, before = ""): Buffer =>
  Buffer.from(`${before}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inside}</svg>`);
