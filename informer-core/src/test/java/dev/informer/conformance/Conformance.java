/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Case of {@code CONFORMANCE.md} that a test verifies.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Conformance.All.class)
public @interface Conformance {

	/**
	 * Return the name of the case.
	 * @return the first column of its row
	 */
	String value();

	/**
	 * Container of several cases.
	 */
	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@interface All {

		/**
		 * Return the cases.
		 * @return the cases
		 */
		Conformance[] value();

	}

}
