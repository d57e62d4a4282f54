/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.start;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Figures of one start.
 *
 * @param context milliseconds from the main method to the ready application
 * @param processor milliseconds of processor time of the main thread until then
 * @param process milliseconds from the start of the JVM until then
 * @param classes number of classes loaded until then
 * @param beans number of bean definitions
 */
record StartFigures(double context, double processor, double process, double classes, double beans) {

	static StartFigures of(String line) {
		String[] figures = line.split(" ");
		return new StartFigures(Double.parseDouble(figures[1]), Double.parseDouble(figures[2]),
				Double.parseDouble(figures[3]), Double.parseDouble(figures[4]), Double.parseDouble(figures[5]));
	}

	/**
	 * Return the medians of several starts.
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
