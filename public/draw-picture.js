/**
 * A worker that draws a smaller copy of a picture, because reading and shrinking one of some megapixels would hold
 * the page up. Asked with `{ blob, widthPx, type, quality }` it answers with a `data:` address, or with null when the
 * picture cannot be read.
 */
self.onmessage = async ({ data }) => {
  self.postMessage(await draw(data).catch(() => null));
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
