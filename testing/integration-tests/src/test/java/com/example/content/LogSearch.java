/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.content;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Search of everything that is logged at any level, by Logback and java.util.logging, for
 * a {@link Marker}. The loggers of the embedded API server are left out.
 */
final class LogSearch extends AppenderBase<ILoggingEvent> implements AutoCloseable {

	/** The HTTP client, whose loggers would be collected without a reference. */
	private static final List<java.util.logging.Logger> CLIENT = List.of(java.util.logging.Logger.getLogger("okhttp3"),
			java.util.logging.Logger.getLogger("okhttp3.OkHttpClient"),
			java.util.logging.Logger.getLogger("okhttp3.internal.concurrent.TaskRunner"),
			java.util.logging.Logger.getLogger("okhttp3.internal.http2.Http2"));

	private final Queue<String> found = new ConcurrentLinkedQueue<>();

	private final Queue<String> own = new ConcurrentLinkedQueue<>();

	private final AtomicInteger searched = new AtomicInteger();

	private final AtomicInteger ofClient = new AtomicInteger();

	private @Nullable Appender<ILoggingEvent> console;

	private final LoggerContext loggers = (LoggerContext) LoggerFactory.getILoggerFactory();

	private final Handler handler = new Handler() {

		private final SimpleFormatter formatter = new SimpleFormatter();

		@Override
		public void publish(LogRecord line) {
			LogSearch.this.ofClient.incrementAndGet();
			search(line.getLoggerName(), this.formatter.format(line));
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
		}

	};

	/**
	 * Begin with the search. To be called after Spring Boot has configured the loggers.
	 */
	void begin() {
		setContext(this.loggers);
		start();
		Logger root = this.loggers.getLogger(Logger.ROOT_LOGGER_NAME);
		// logging.threshold.console would stay set for later applications in this JVM
		this.console = root.getAppender("CONSOLE");
		root.detachAppender("CONSOLE");
		root.addAppender(this);
		root.setLevel(Level.TRACE);
		for (String server : List.of("org.eclipse.jetty", "dev.informer.test")) {
			this.loggers.getLogger(server).setLevel(Level.OFF);
		}
		this.handler.setLevel(java.util.logging.Level.ALL);
		CLIENT.get(0).addHandler(this.handler);
		CLIENT.forEach((logger) -> logger.setLevel(java.util.logging.Level.ALL));
	}

	@Override
	protected void append(ILoggingEvent event) {
		StringBuilder line = new StringBuilder(event.getLoggerName()).append(' ')
			.append(event.getLevel())
			.append(' ')
			.append(event.getFormattedMessage())
			.append(' ')
			.append(event.getMDCPropertyMap())
			.append(' ')
			.append(event.getKeyValuePairs());
		append(line, event.getThrowableProxy());
		search(event.getLoggerName(), line.toString());
	}

	private static void append(StringBuilder line, @Nullable IThrowableProxy failure) {
		if (failure != null) {
			line.append(' ').append(ThrowableProxyUtil.asString(failure));
		}
	}

	private void search(String logger, String line) {
		this.searched.incrementAndGet();
		String around = Marker.find(line);
		if (!around.isEmpty()) {
			this.found.add(logger + ": " + around);
		}
		if (logger.startsWith("dev.informer.")) {
			this.own.add(line);
		}
	}

	/**
	 * Return the lines with a marker.
	 */
	List<String> found() {
		return List.copyOf(this.found);
	}

	/**
	 * Return the lines of the informers.
	 */
	List<String> own() {
		return List.copyOf(this.own);
	}

	/**
	 * Return the number of lines that were searched.
	 */
	int searched() {
		return this.searched.get();
	}

	/**
	 * Return the number of lines of the HTTP client.
	 */
	int ofClient() {
		return this.ofClient.get();
	}

	@Override
	public void close() {
		Logger root = this.loggers.getLogger(Logger.ROOT_LOGGER_NAME);
		root.detachAppender(this);
		root.setLevel(Level.INFO);
		if (this.console != null) {
			root.addAppender(this.console);
		}
		for (String server : List.of("org.eclipse.jetty", "dev.informer.test")) {
			this.loggers.getLogger(server).setLevel(null);
		}
		CLIENT.forEach((logger) -> logger.setLevel(null));
		CLIENT.get(0).removeHandler(this.handler);
		stop();
	}

}
