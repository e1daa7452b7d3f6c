import { describe, expect, it } from 'vitest';
import { Slots } from '../../../supervisor/child/slots.js';

describe('slots', () => {
  it('takes a slot before it returns, so that two of one tick cannot both pass', () => {
    const slots = new Slots(1, 'refuse');
    const started: string[] = [];
    expect(slots.enter(() => started.push('first'))).toBeDefined();
    expect(started).toEqual(['first']);
    expect(slots.enter(() => started.push('second'))).toBeUndefined();
    slots.free();
    expect(slots.enter(() => started.push('third'))).toBeDefined();
    expect(started).toEqual(['first', 'third']);
  });

  it('starts those who wait in the order of their arrival, without those who left', () => {
    const slots = new Slots(2, 'wait');
    const started: number[] = [];
    const places = [0, 1, 2, 3, 4].map((n) => slots.enter(() => started.push(n)));
    expect(started).toEqual([0, 1]);
    expect(places[3]?.leave()).toBe(true);
    expect(places[3]?.leave()).toBe(false);
    expect(places[0]?.leave()).toBe(false);
    slots.free();
    slots.free();
    expect(started).toEqual([0, 1, 2, 4]);
    expect(places[2]?.leave()).toBe(false);
    slots.free();
    slots.free();
    expect(slots.enter(() => started.push(5))).toBeDefined();
    expect(started).toEqual([0, 1, 2, 4, 5]);
  });
});
