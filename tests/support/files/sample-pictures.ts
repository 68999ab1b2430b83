import { crc32, deflateSync } from "node:zlib";

/** Grey pictures that every decoder opens, built byte by byte so that a test can change each byte. */

interface JpegOptions {
  /** 1 grey, 3 colour, 4 CMYK. */
  components?: 1 | 3 | 4;
  progressive?: boolean;
  /** Segments directly after the start mark. */
  first?: Uint8Array[];
  /** The code of the frame's marker; baseline or progressive by default. */
  frameMarker?: number;
  /** Bytes after the picture data. */
  last?: Uint8Array;
  /** Leaves the picture data out, for sizes that would need too much of it. */
  hollow?: boolean;
}

export function makeJpeg(width: number, height: number, options: JpegOptions = {}): Uint8Array {
  const {
    components = 1,
    progressive = false,
    first = [],
    last = new Uint8Array(),
    hollow = false,
  } = options;
  const ids = Array.from({ length: components }, (_, index) => index + 1);
  const blocks = hollow ? 1 : Math.ceil(width / 8) * Math.ceil(height / 8);
  const frame = [8, ...u16(height), ...u16(width), components, ...ids.flatMap((id) => [id, 0x11, 0])];
  const scan = (of: number[], from: number, to: number, bits: number) => [
    segment(0xda, [of.length, ...of.flatMap((id) => [id, 0]), from, to, 0]),
    makeZeroBits(bits),
  ];
  const scans = progressive
    ? [...scan(ids, 0, 0, blocks * components), ...ids.flatMap((id) => scan([id], 1, 63, blocks))]
    : scan(ids, 0, 63, blocks * components * 2);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...first,
    components === 4 ? segment(0xee, [...Buffer.from("Adobe"), 0, 100, 0, 0, 0, 0, 0]) : JFIF,
    segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    segment(options.frameMarker ?? (progressive ? 0xc2 : 0xc0), frame),
    // One code of one bit each: "no difference" and "no more in this block".
    segment(0xc4, [0x00, 1, ...Array<number>(15).fill(0), 0]),
    segment(0xc4, [0x10, 1, ...Array<number>(15).fill(0), 0]),
    ...scans,
    last,
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** A JPEG segment: marker, length, content. */
export function segment(marker: number, content: ArrayLike<number>): Uint8Array {
  return Buffer.concat([
    Buffer.from([0xff, marker, ...u16(content.length + 2)]),
    Uint8Array.from(content as number[]),
  ]);
}

/** Comment segments that make a JPEG longer by `bytes`, at least 4. */
export function makeJpegPadding(bytes: number): Uint8Array[] {
  const sizes: number[] = [];
  for (let left = bytes; left > 0; left -= sizes.at(-1) ?? 0) {
    sizes.push(left > 65_537 ? Math.min(65_537, left - 4) : left);
  }
  return sizes.map((size) => segment(0xfe, new Uint8Array(size - 4).fill(0x20)));
}

interface ExifOptions {
  /** 0x0112 is the orientation tag. */
  tag?: number;
  /** Type of the value: 3 is a short number, the correct one. */
  type?: number;
  /** Position of the directory, and the number of entries it claims. */
  directory?: number;
  entries?: number;
}

/** An EXIF segment with a width before the orientation and a thumbnail of another size after both. */
export function makeExif(orientation: number, littleEndian: boolean, options: ExifOptions = {}): Uint8Array {
  const { tag = 0x0112, type = 3, directory = 8, entries = 2 } = options;
  const short = (value: number) => (littleEndian ? u16(value).reverse() : u16(value));
  const long = (value: number) => (littleEndian ? u32(value).reverse() : u32(value));
  return segment(0xe1, [
    ...Buffer.from("Exif\0\0"),
    ...(littleEndian ? [0x49, 0x49] : [0x4d, 0x4d]),
    ...short(42),
    ...long(directory),
    ...short(entries),
    ...[...short(0x0100), ...short(4), ...long(1), ...long(9_999)],
    ...[...short(tag), ...short(type), ...long(1), ...short(orientation), ...short(0)],
    ...long(0),
    ...makeJpeg(160, 120),
  ]);
}

interface PngOptions {
  /** Chunks between header and picture data. */
  middle?: Uint8Array[];
  hollow?: boolean;
}

export function makePng(width: number, height: number, { middle = [], hollow }: PngOptions = {}): Uint8Array {
  const rows = hollow ? new Uint8Array(2) : new Uint8Array((Math.ceil(width / 8) + 1) * height);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", [...u32(width), ...u32(height), 1, 0, 0, 0, 0]),
    ...middle,
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", []),
  ]);
}

/** A PNG chunk: length, name, content, checksum. */
export function chunk(name: string, content: ArrayLike<number>): Uint8Array {
  const checked = Buffer.concat([Buffer.from(name, "latin1"), Uint8Array.from(content as number[])]);
  return Buffer.concat([Buffer.from(u32(content.length)), checked, Buffer.from(u32(crc32(checked)))]);
}

/** A private chunk that makes a PNG longer by `bytes`, at least 12. */
export function makePngPadding(bytes: number): Uint8Array {
  return chunk("paDd", new Uint8Array(bytes - 12));
}

const JFIF = segment(0xe0, [...Buffer.from("JFIF\0"), 1, 1, 0, 0, 1, 0, 1, 0, 0]);

/** The end of picture data: filled up to a whole byte with ones. */
function makeZeroBits(bits: number): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(bits / 8));
  if (bits % 8 > 0) bytes[bytes.length - 1] = 0xff >> (bits % 8);
  return bytes;
}

function u16(value: number): number[] {
  return [(value >>> 8) & 0xff, value & 0xff];
}

function u32(value: number): number[] {
  return [...u16(Math.floor(value / 0x10000)), ...u16(value % 0x10000)];
}
