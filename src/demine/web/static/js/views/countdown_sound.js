// The sound of a countdown: a short tone for each second, and a higher one at the start.

const SECOND_HZ = 440;
const START_HZ = 880;
const LENGTH_S = 0.12;
const LOUDNESS = 0.15;

/** @type {AudioContext | null} */
let audio = null;

/** Sound a second of a countdown, or its end. @param {boolean} isStart */
export function soundSecond(isStart) {
  audio ??= new AudioContext();
  const tone = new OscillatorNode(audio, { frequency: isStart ? START_HZ : SECOND_HZ });
  const volume = new GainNode(audio, { gain: LOUDNESS });
  tone.connect(volume).connect(audio.destination);
  volume.gain.setTargetAtTime(0, audio.currentTime + LENGTH_S / 2, LENGTH_S / 6); // an end without a crack
  tone.start();
  tone.stop(audio.currentTime + LENGTH_S);
}
