/**
 * A worker that draws a smaller copy of a picture, because reading and shrinking one of some megapixels would hold
 * the page up. Asked with `{ id, blob, widthPx, type, quality }` it answers `{ id, url }`, a `data:` address;
 * `url` is null when the picture cannot be read.
 */
self.onmessage = async ({ data: { id, ...wanted } }) => {
  self.postMessage({ id, url: await draw(wanted).catch(() => null) });
};

async function draw({ blob, widthPx, type, quality }) {
  const picture = await createImageBitmap(blob, { imageOrientation: "from-image" });
  const scale = Math.min(1, widthPx / picture.width);
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, width, height);
  picture.close();
  return new FileReaderSync().readAsDataURL(await canvas.convertToBlob({ type, quality }));
}
