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

import org.junit.jupiter.api.Test;

/**
 * Measures the start of an empty web application without and with the starter: each time
 * in a new JVM, in turns. Prints the medians and their differences from the row above.
 * Runs on request only, with {@code -Dtest=StartTimes}.
 */
class StartTimes {

	private static final String ROW = "| %s | %.0f | %+.0f | %.0f | %+.0f | %.0f | %.0f | %.0f |%n";

	@Test
	void measure() throws IOException, InterruptedException {
		Map<String, List<StartFigures>> starts = new LinkedHashMap<>();
		start(starts);
		starts.clear();
		for (int round = 0; round < Integer.getInteger("rounds", 10); round++) {
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
				+ "| classes | bean definitions |");
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
