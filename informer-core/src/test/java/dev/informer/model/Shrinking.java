/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Search for a short failing sequence among the parts of a failing one.
 */
public final class Shrinking {

	private static final int MOST_ATTEMPTS = 400;

	private final Predicate<List<Integer>> fails;

	private int attempts;

	/**
	 * Create a search.
	 * @param fails runs a sequence and returns whether it fails
	 */
	public Shrinking(Predicate<List<Integer>> fails) {
		this.fails = fails;
	}

	/**
	 * Remove parts, halves at first and single operations in the end, as long as the rest
	 * fails.
	 * @param failing the failing sequence
	 * @return the shortest one that was found
	 */
	public List<Integer> shrink(List<Integer> failing) {
		List<Integer> shortest = failing;
		for (int size = failing.size() / 2; size >= 1; size /= 2) {
			for (int from = 0; from < shortest.size() && this.attempts < MOST_ATTEMPTS;) {
				List<Integer> rest = without(shortest, from, from + size);
				this.attempts++;
				if (this.fails.test(rest)) {
					shortest = rest;
				}
				else {
					from += size;
				}
			}
		}
		return shortest;
	}

	private static List<Integer> without(List<Integer> list, int from, int to) {
		List<Integer> rest = new ArrayList<>(list.subList(0, from));
		rest.addAll(list.subList(Math.min(to, list.size()), list.size()));
		return rest;
	}

}
