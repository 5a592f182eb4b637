import { expect, test } from 'vitest';
import { packed, unpacked, type WaitingPhoto } from './stored-photos.ts';

test('a photo comes out of its bytes as it went in, with what is said of it', async () => {
  const photo: WaitingPhoto = {
    ...{ photoId: 'p1', jobId: 'j1', account: 'a1', stage: 'after', caption: 'Ngā wai é 🚿', at: 7 },
    ...{ file: new Blob([Uint8Array.of(0, 255, 216, 7)], { type: 'image/jpeg' }), isDraft: true },
  };
  const { file, ...said } = unpacked(await packed(photo));
  const { file: was, ...expected } = photo;
  expect(said).toEqual(expected);
  expect([file.type, await file.bytes()]).toEqual([was.type, await was.bytes()]);
});
