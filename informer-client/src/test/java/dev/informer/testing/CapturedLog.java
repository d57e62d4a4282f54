/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * Log of a test, at level DEBUG or a lower one.
 */
public final class CapturedLog implements BeforeEachCallback, AfterEachCallback {

	private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

	private final Level before = this.root.getLevel();

	private final ListAppender<ILoggingEvent> events = new ListAppender<>();

	/** What was logged before the test has set it counts for as little. */
	private volatile Level level = Level.DEBUG;

	@Override
	public void beforeEach(ExtensionContext context) {
		this.events.start();
		this.root.addAppender(this.events);
		setLevel(Level.DEBUG);
	}

	@Override
	public void afterEach(ExtensionContext context) {
		setLevel(this.before);
		this.root.detachAppender(this.events);
	}

	/**
	 * Set the lowest level of the log.
	 */
	public void setLevel(Level level) {
		this.level = level;
		this.root.setLevel(level);
	}

	/**
	 * Return the contexts of the messages that contain a text.
	 */
	public List<Map<String, String>> contexts(String text) {
		return List.copyOf(this.events.list)
			.stream()
			.filter((event) -> event.getFormattedMessage().contains(text))
			.map(ILoggingEvent::getMDCPropertyMap)
			.toList();
	}

	/**
	 * Return all messages with their values and stack traces.
	 */
	public String text() {
		// threads may log meanwhile
		return List.copyOf(this.events.list)
			.stream()
			.filter((event) -> event.getLevel().isGreaterOrEqual(this.level))
			.map((event) -> event.getFormattedMessage() + " " + event.getKeyValuePairs() + " "
					+ ThrowableProxyUtil.asString(event.getThrowableProxy()))
			.collect(Collectors.joining("\n"));
	}

}
