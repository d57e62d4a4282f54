/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.boot.context.properties.ConfigurationPropertiesSource;

/**
 * Properties of leader elections: those of the default election, which are also the
 * defaults of the others.
 */
@ConfigurationPropertiesSource
public class LeaderProperties extends LeaderElectionProperties {

	/**
	 * Whether to elect a leader among the replicas of the application.
	 */
	private boolean enabled;

	/**
	 * Further elections by name.
	 */
	private final Map<String, LeaderElectionProperties> elections = new LinkedHashMap<>();

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public Map<String, LeaderElectionProperties> getElections() {
		return this.elections;
	}

}
