/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.proxy;

import java.time.Duration;

/**
 * Treatment of the bytes of one direction of a connection.
 *
 * @param latency the delay of each byte
 * @param bytesPerSecond the bandwidth, 0 for no limit
 * @param cutAfter the number of bytes after which the connection is cut, 0 for never
 * @param corruptAfter the number of bytes after which a byte is changed, 0 for never
 */
public record Shape(Duration latency, int bytesPerSecond, long cutAfter, long corruptAfter) {

	/** The shape of a healthy network. */
	public static final Shape HEALTHY = new Shape(Duration.ZERO, 0, 0, 0);

	/**
	 * Return a network with a delay.
	 */
	public static Shape latency(Duration latency) {
		return new Shape(latency, 0, 0, 0);
	}

	/**
	 * Return a slow network.
	 */
	public static Shape bandwidth(int bytesPerSecond) {
		return new Shape(Duration.ZERO, bytesPerSecond, 0, 0);
	}

	/**
	 * Return a network that cuts connections.
	 * @param bytes the number of bytes after which it does so
	 */
	public static Shape cutAfter(long bytes) {
		return new Shape(Duration.ZERO, 0, bytes, 0);
	}

	/**
	 * Return a network that changes bytes.
	 * @param bytes the number of bytes after which it changes one
	 */
	public static Shape corruptAfter(long bytes) {
		return new Shape(Duration.ZERO, 0, 0, bytes);
	}

}
