/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.start;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Starts an empty web application without and with the starter, each time in a JVM of its
 * own, in turns, and prints the medians and by how much they differ from the row above.
 */
public final class StartTimes {

	private static final String ROW = "| %s | %.0f | %+.0f | %.0f | %+.0f | %.0f | %.0f | %.0f |%n";

	private StartTimes() {
	}

	/**
	 * Measures.
	 * @param args how often each is started, 10 by default
	 * @throws Exception when one does not start
	 */
	public static void main(String[] args) throws Exception {
		int rounds = (args.length > 0) ? Integer.parseInt(args[0]) : 10;
		Map<String, List<StartFigures>> starts = new LinkedHashMap<>();
		start(starts);
		starts.clear();
		for (int round = 0; round < rounds; round++) {
			start(starts);
		}
		print(starts);
	}

	private static void start(Map<String, List<StartFigures>> starts) throws IOException, InterruptedException {
		for (Variant variant : Variant.all()) {
			starts.computeIfAbsent(variant.name(), (name) -> new ArrayList<>()).add(variant.start());
		}
	}

	private static void print(Map<String, List<StartFigures>> starts) {
		System.out.println("| application | context, ms | more | CPU of its thread, ms | more | JVM to ready, ms "
				+ "| classes | definitions of beans |");
		System.out.println("|---|---:|---:|---:|---:|---:|---:|---:|");
		StartFigures above = StartFigures.median(starts.values().iterator().next());
		for (Map.Entry<String, List<StartFigures>> entry : starts.entrySet()) {
			StartFigures median = StartFigures.median(entry.getValue());
			System.out.printf(ROW, entry.getKey(), median.context(), median.context() - above.context(),
					median.processor(), median.processor() - above.processor(), median.process(), median.classes(),
					median.beans());
			above = median;
		}
	}

}
