/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.webapps;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * Host names, in the memory of this process: in place of the client of a name service,
 * from which nothing but this controller removes a name. Thread-safe.
 */
@Component
class Dns {

	private static final Logger logger = LoggerFactory.getLogger(Dns.class);

	private final Set<String> hosts = ConcurrentHashMap.newKeySet();

	void register(String host) {
		if (this.hosts.add(host)) {
			logger.info("Host {} was registered", host);
		}
	}

	void remove(String host) {
		if (this.hosts.remove(host)) {
			logger.info("Host {} was removed", host);
		}
	}

	Set<String> hosts() {
		return Set.copyOf(this.hosts);
	}

}
