package dev.informer.reflector;

import dev.informer.source.ServerStatus;
import org.jspecify.annotations.Nullable;

/**
 * The resource version that a reflector has reached, and whether the server still has it.
 * Belongs to the thread of its reflector.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions">Resource
 * versions</a>
 */
final class VersionState {

	/** Empty before the first list. */
	private String lastSync = "";

	private boolean unavailable;

	/**
	 * The version from which a watch goes on.
	 */
	String lastSync() {
		return this.lastSync;
	}

	/**
	 * Whether that is no version but the wish for whatever there is: a watch from there
	 * begins with additions that stand for the state, in no order, and another one that
	 * begins there misses what was deleted in between.
	 */
	boolean isVague() {
		return this.lastSync.isEmpty() || this.lastSync.equals("0");
	}

	/**
	 * How fresh a list has to be at least: at first whatever the server has at hand.
	 */
	String forList() {
		if (this.unavailable) {
			return "";
		}
		return this.lastSync.isEmpty() ? "0" : this.lastSync;
	}

	/**
	 * How fresh a streaming list has to be at least.
	 */
	String forStream() {
		return this.unavailable ? "" : this.lastSync;
	}

	/**
	 * Notes that the server does not have the version that it was asked for, if that is
	 * what it says.
	 * @return whether it is
	 */
	boolean refused(ServerStatus refusal) {
		boolean refused = refusal.isExpired() || refusal.isResourceVersionTooLarge();
		this.unavailable |= refused;
		return refused;
	}

	/**
	 * Notes the version that the server has reached after an outage.
	 * @return whether its history went back
	 */
	boolean wentBack(String current) {
		boolean wentBack = isAheadOf(current);
		this.unavailable |= wentBack;
		return wentBack;
	}

	/**
	 * Whether a state is older than what was reached before: then an object may differ
	 * from the one that had the same version.
	 */
	boolean isAheadOf(String resourceVersion) {
		return ResourceVersions.isBefore(resourceVersion, this.lastSync);
	}

	/**
	 * Notes a version that a watch has brought.
	 */
	void reached(@Nullable String resourceVersion) {
		if (resourceVersion != null && !resourceVersion.isEmpty()) {
			this.lastSync = resourceVersion;
		}
	}

	/**
	 * Notes the version of a state.
	 * @return whether it belongs to the same history as what was reached before
	 */
	boolean replaced(String resourceVersion) {
		boolean sameHistory = !isAheadOf(resourceVersion);
		this.lastSync = resourceVersion;
		this.unavailable = false;
		return sameHistory;
	}

}
