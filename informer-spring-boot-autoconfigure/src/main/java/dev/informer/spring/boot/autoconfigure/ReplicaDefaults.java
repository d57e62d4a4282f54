/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.informer.spring.InvalidInformerPropertyException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Defaults of properties that coordinate the replicas of an application.
 *
 * @param application the name of the application; {@code null} for none
 * @param currentNamespace the supplier of the namespace of the connection
 * @param identity the identity of this process
 */
record ReplicaDefaults(@Nullable String application, Supplier<String> currentNamespace, String identity) {

	/**
	 * Create defaults with a new identity.
	 */
	ReplicaDefaults(@Nullable String application, Supplier<String> currentNamespace) {
		this(application, currentNamespace, newIdentity());
	}

	/**
	 * Return the name of the application for a property that is not set.
	 * @throws InvalidInformerPropertyException if the application has no name
	 */
	String applicationName(String key) {
		if (this.application == null || !StringUtils.hasText(this.application)) {
			throw new InvalidInformerPropertyException(key,
					"it is not set, and the application has no name that could be its default",
					"Set " + key + " or spring.application.name.");
		}
		return this.application;
	}

	String namespace(@Nullable String configured) {
		return (configured != null) ? configured : this.currentNamespace.get();
	}

	/**
	 * Return an identity that no other process has, also not a restarted container of the
	 * same pod.
	 */
	private static String newIdentity() {
		String host = Stream.of("HOSTNAME", "COMPUTERNAME")
			.map(System::getenv)
			.filter(StringUtils::hasText)
			.findFirst()
			.orElseGet(ReplicaDefaults::hostName);
		return host + "_" + UUID.randomUUID();
	}

	private static String hostName() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown";
		}
	}

}
