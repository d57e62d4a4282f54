/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds a short sequence that fails among the parts of one that does.
 */
final class Shrinking {

	private static final int MOST_ATTEMPTS = 400;

	private final Predicate<List<Integer>> fails;

	private int attempts;

	/**
	 * Prepares to shrink.
	 * @param fails runs a sequence and says whether it fails
	 */
	Shrinking(Predicate<List<Integer>> fails) {
		this.fails = fails;
	}

	/**
	 * Leaves parts out, halves at first and single operations in the end, for as long as
	 * the rest fails.
	 */
	List<Integer> shrink(List<Integer> failing) {
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
