/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests of parts of the informers for races, with jcstress: many small objects that two
 * threads use once, and all outcomes of that. Not null-marked, since jcstress generates
 * classes into this package.
 */
package dev.informer.benchmarks.race;
