/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.start;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a start took.
 *
 * @param context milliseconds until the application was ready, from its main method on
 * @param processor milliseconds of processor time that the main thread has used by then
 * @param process milliseconds until then from the start of the JVM on
 * @param classes how many classes had been loaded by then
 * @param beans how many definitions of beans there were
 */
record StartFigures(double context, double processor, double process, double classes, double beans) {

	static StartFigures of(String line) {
		String[] figures = line.split(" ");
		return new StartFigures(Double.parseDouble(figures[1]), Double.parseDouble(figures[2]),
				Double.parseDouble(figures[3]), Double.parseDouble(figures[4]), Double.parseDouble(figures[5]));
	}

	/**
	 * The medians of several starts.
	 */
	static StartFigures median(List<StartFigures> starts) {
		return new StartFigures(median(starts, StartFigures::context), median(starts, StartFigures::processor),
				median(starts, StartFigures::process), median(starts, StartFigures::classes),
				median(starts, StartFigures::beans));
	}

	private static double median(List<StartFigures> starts, ToDoubleFunction<StartFigures> figure) {
		double[] sorted = starts.stream().mapToDouble(figure).sorted().toArray();
		return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
	}

}
